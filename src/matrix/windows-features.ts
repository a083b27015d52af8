// The names of the roles and features of Windows Server.
import tables from '#tables'

export const windowsFeatureSources = tables['windows-features'].features

export const windowsFeatures = windowsFeatureSources.flatMap(({ names }) => names)
