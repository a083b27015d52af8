// What the programs say of a text that is no quantity: apimachinery, pkg/api/resource/quantity.go.

export const quantityFault =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
