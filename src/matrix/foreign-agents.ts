// Windows services of other container engines, and of agents with their own kubelet.
import tables from '#tables'

/** A service named kubelet is not included: the node checks which program created it (EKS creates one). */
export const foreignAgents = tables['foreign-agents'].agents
