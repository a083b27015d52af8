export const nodeRooms: readonly string[]
