# The objects that are compared: what each contains, the account that reads it, and which others may read it.
# cluster/prepare.sh compares a cluster once; a machine may join months later, or another cluster.

# Verified with API servers of 1.25 and 1.37, with their default roles and those in a bundle's cluster/ folder.
# https://kubernetes.io/docs/reference/access-authn-authz/rbac/
$script:ClusterSource = @(
    @{
        Tells = 'endpoint'
        As    = 'anonymous'
        Rows  = 'Get-NodeEndpointComparison'
        Path  = '/api/v1/namespaces/kube-public/configmaps/cluster-info'
        Who   = 'anonymous requests may read kubeadm''s ConfigMap cluster-info, unless the API server rejects ' +
        'anonymous requests; kubeadm reads it'
    }
    @{
        Tells = 'pods, services, domain, kubeadm'
        As    = 'self'
        Rows  = 'Get-NodeNetworkComparison'
        Path  = '/api/v1/namespaces/kube-system/configmaps/kubeadm-config'
        Who   = 'kubeadm tokens and nodes may read it: kubectl -n kube-system get configmap kubeadm-config -o yaml'
    }
    @{
        Tells = 'dns, health'
        As    = 'self'
        Rows  = 'Get-NodeKubeletComparison'
        Path  = '/api/v1/namespaces/kube-system/configmaps/kubelet-config'
        Who   = 'kubeadm tokens and nodes may read it: kubectl -n kube-system get configmap kubelet-config -o yaml'
    }
    @{
        Tells = 'version'
        As    = 'self'
        Rows  = 'Get-NodeVersionComparison'
        Path  = '/version'
        Who   = 'anonymous requests may read it by default: kubectl version'
    }
    @{
        Tells = 'name'
        As    = 'self'
        Rows  = 'Get-NodeNameComparison'
        Path  = '/api/v1/nodes/{0}'
        Free  = $true
        Who   = 'kubeadm tokens, and the accounts of flannel and kube-proxy, may read it: kubectl get node -o wide'
    }
    @{
        Tells = 'backend, vni, mac, pods'
        As    = 'flannel'
        Rows  = 'Get-NodeFlannelComparison'
        # A page is enough to see how flannel is set up.
        Path  = '/api/v1/nodes?limit=500'
        Who   = 'flannel''s account may read it: kubectl get nodes -o yaml'
    }
    @{
        Tells = 'dns'
        As    = 'kubeProxy'
        Rows  = 'Get-NodeDnsComparison'
        Path  = '/api/v1/namespaces/kube-system/services?labelSelector=k8s-app%3Dkube-dns'
        Who   = 'kube-proxy''s account may read it: kubectl -n kube-system get services -l k8s-app=kube-dns'
    }
    @{
        Tells = 'services'
        As    = 'kubeProxy'
        Rows  = 'Get-NodeServiceComparison'
        Path  = '/apis/networking.k8s.io/v1/servicecidrs'
        Who   = 'kube-proxy''s account may read it, from 1.33 on: kubectl get servicecidrs'
    }
)
