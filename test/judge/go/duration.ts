// Units of durations in nanoseconds, as Go counts them.
// https://pkg.go.dev/time#Duration

export const second = 1e9
