// The day up to which the tables were compared with their sources.

export const tablesDate = '2026-11-26'
