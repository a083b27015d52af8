# What the cluster is asked: which object tells what, with which account, and who else may read it.

# Who may read what: asked of API servers of 1.25 and 1.37, with their own roles and those in a bundle's cluster/.
# https://kubernetes.io/docs/reference/access-authn-authz/rbac/
$script:ClusterSource = @(
    @{
        Tells = 'endpoint'
        As    = 'anybody'
        Rows  = 'Get-NodeEndpointComparison'
        Path  = '/api/v1/namespaces/kube-public/configmaps/cluster-info'
        Who   = 'anybody may read the ConfigMap cluster-info of kubeadm, unless the API server refuses requests ' +
        'without credentials; kubeadm itself reads it'
    }
    @{
        Tells = 'pods, services, domain, kubeadm'
        As    = 'us'
        Rows  = 'Get-NodeNetworkComparison'
        Path  = '/api/v1/namespaces/kube-system/configmaps/kubeadm-config'
        Who   = 'tokens and nodes of kubeadm may: kubectl -n kube-system get configmap kubeadm-config -o yaml'
    }
    @{
        Tells = 'dns, health'
        As    = 'us'
        Rows  = 'Get-NodeKubeletComparison'
        Path  = '/api/v1/namespaces/kube-system/configmaps/kubelet-config'
        Who   = 'tokens and nodes of kubeadm may: kubectl -n kube-system get configmap kubelet-config -o yaml'
    }
    @{
        Tells = 'version'
        As    = 'us'
        Rows  = 'Get-NodeVersionComparison'
        Path  = '/version'
        Who   = 'anybody may, unless the cluster took that away: kubectl version'
    }
    @{
        Tells = 'name'
        As    = 'us'
        Rows  = 'Get-NodeNameComparison'
        Path  = '/api/v1/nodes/{0}'
        Free  = $true
        Who   = 'tokens of kubeadm may, and the accounts of flannel and kube-proxy: kubectl get node -o wide'
    }
    @{
        Tells = 'backend, vni, mac, pods'
        As    = 'flannel'
        Rows  = 'Get-NodeFlannelComparison'
        Path  = '/api/v1/nodes'
        Who   = 'the account of flannel may: kubectl get nodes -o yaml'
    }
    @{
        Tells = 'dns'
        As    = 'kubeProxy'
        Rows  = 'Get-NodeDnsComparison'
        Path  = '/api/v1/namespaces/kube-system/services?labelSelector=k8s-app%3Dkube-dns'
        Who   = 'the account of kube-proxy may: kubectl -n kube-system get services -l k8s-app=kube-dns'
    }
    @{
        Tells = 'services'
        As    = 'kubeProxy'
        Rows  = 'Get-NodeServiceComparison'
        Path  = '/apis/networking.k8s.io/v1/servicecidrs'
        Who   = 'the account of kube-proxy may, from 1.33 on: kubectl get servicecidrs'
    }
)
