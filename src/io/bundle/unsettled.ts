// Unsettled: somebody changed the folder between the look at it and the write.

export class Unsettled extends Error {}
