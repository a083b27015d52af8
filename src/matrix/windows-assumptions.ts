// What the simulated Windows Server of the tests assumes about a real one, row by row.
import tables from '#tables'

export const windowsAssumptions = tables['windows-assumptions'].assumptions
