// Windows services of other container engines, and of agents that run a kubelet of their own.
import tables from '#tables'

/** A service named kubelet is not in it: the node checks who made it (EKS makes one). */
export const foreignAgents = tables['foreign-agents'].agents
