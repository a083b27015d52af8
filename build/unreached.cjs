// Stands in for packages that the program bundles but never calls.
module.exports = {}
