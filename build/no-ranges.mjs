// Stands in for the ranges of the tables while they are read.
export default {}
