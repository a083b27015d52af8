// Words of other programs and of Windows, and the names that winnode has for their subject.
import tables from '#tables'

export const relatedNames = tables['related-names'].rows
