// Authorization of a kubeadm cluster: Node and RBAC, with the roles of kubeadm and of a bundle's manifests.
using System;
using System.Linq;
using System.Text.RegularExpressions;

namespace WinNodeHost
{
    /// As recorded in the verdicts of api-access, of 1.37.1; without admission, which reads what is written.
    public static class Authorizer
    {
        const string Kubeadm = "system:bootstrappers:kubeadm:default-node-token";
        const string Bundle = "system:bootstrappers:winnode";
        const string Proxies = "system:kube-proxy|system:serviceaccount:kube-system:winnode-kube-proxy";
        const string Flannel = "system:serviceaccount:kube-system:winnode-flannel";
        const string Requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests(/[^/]+)?";
        const string Events = "/apis/events.k8s.io/v1/namespaces/[^/]+/events|/api/v1/namespaces/[^/]+/events";

        /// Names of users or groups, verbs, and paths; NAME is the node's own.
        static readonly string[][] rules =
        {
            new[] { "system:masters", "[A-Z]+", ".*" },
            // system:public-info-viewer, system:discovery, system:basic-user, system:service-account-issuer-discovery
            new[] { "system:authenticated|system:unauthenticated", "GET", "/(version|healthz|livez|readyz)" },
            new[] { "system:authenticated", "GET", "/api(/v1)?|/apis(/[^/]+(/v[^/]+)?)?|/openapi(/.*)?" },
            new[] { "system:authenticated", "POST", "/apis/(authorization|authentication).k8s.io/v1/selfsubject[a-z]*reviews" },
            new[] { "system:serviceaccounts", "GET", "/openid/v1/jwks" },
            // kubeadm:bootstrap-signer-clusterinfo, kubeadm:nodes-kubeadm-config, kubeadm:kubelet-config, kube-proxy, kubeadm:get-nodes
            new[] { "system:anonymous", "GET", "/api/v1/namespaces/kube-public/configmaps/cluster-info" },
            new[] { Kubeadm + "|system:nodes", "GET", "/api/v1/namespaces/kube-system/configmaps/(kubeadm|kubelet)-config" },
            new[] { Kubeadm, "GET", "/api/v1/namespaces/kube-system/configmaps/kube-proxy|/api/v1/nodes/[^/]+" },
            // system:node-bootstrapper
            new[] { Kubeadm + "|" + Bundle, "GET|POST", Requests },
            // plugin/pkg/auth/authorizer/node, and system:node
            new[] { "system:nodes", "GET|POST", Requests },
            new[] { "system:nodes", "GET", "/api/v1/(namespaces/[^/]+/)?services(/[^/]+)?" },
            new[] { "system:nodes", "GET", "/apis/(node.k8s.io/v1/runtimeclasses|storage.k8s.io/v1/csidrivers)(/[^/]+)?" },
            new[] { "system:nodes", "GET", @"/api/v1/nodes/NAME|/api/v1/nodes\?.*metadata.name%3DNAME|/api/v1/pods\?.*spec.nodeName%3DNAME" },
            new[] { "system:nodes", "PATCH|PUT", "/api/v1/nodes/NAME(/status)?" },
            new[] { "system:nodes", "POST", "/api/v1/nodes|/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases|" + Events },
            new[] { "system:nodes", "POST", "/apis/(authentication.k8s.io/v1/token|authorization.k8s.io/v1/subjectaccess)reviews" },
            // system:node-proxier
            new[] { Proxies, "GET", "/api/v1/(nodes(/[^/]+)?|(namespaces/[^/]+/)?(services|endpoints))" },
            new[] { Proxies, "GET", "/apis/discovery.k8s.io/v1/(namespaces/[^/]+/)?endpointslices|/apis/networking.k8s.io/v1/servicecidrs" },
            new[] { Proxies, "POST", Events },
            // flannel
            new[] { Flannel, "GET", "/api/v1/nodes(/[^/]+)?" },
            new[] { Flannel, "PATCH", "/api/v1/nodes/[^/]+/status" },
        };

        /// The caller is his name and his groups, with blanks between them; the path may have a query.
        public static bool May(string caller, string verb, string path)
        {
            var words = caller.Split(' ').Concat(Implied(caller)).ToArray();
            var name = Regex.Escape(words[0].StartsWith("system:node:") ? words[0].Substring(12) : "/");
            return rules.Any(rule => words.Any(word => Whole(word, rule[0])) && Whole(verb, rule[1])
                && (Whole(path, rule[2].Replace("NAME", name)) || Whole(path.Split('?')[0], rule[2].Replace("NAME", name))));
        }

        static string[] Implied(string caller)
        {
            if (caller == "system:anonymous") return new[] { "system:unauthenticated" };
            var service = caller.StartsWith("system:serviceaccount:");
            return service ? new[] { "system:authenticated", "system:serviceaccounts" } : new[] { "system:authenticated" };
        }

        static bool Whole(string text, string pattern) { return Regex.IsMatch(text, "^(?:" + pattern + ")$"); }
    }
}
