// What the API server does for kubectl: kinds that it looks up, objects that it writes, and what controllers make of them.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;

namespace WinNodeHost
{
    public static partial class ApiServer
    {
        /// Accounts with all rights.
        public const string Administrator = "kubernetes-admin system:masters";

        static readonly Dictionary<string, string> documents = new Dictionary<string, string>();
        static readonly Dictionary<string, string[]> kinds = new Dictionary<string, string[]>();
        static readonly HashSet<string> looked = new HashSet<string>();
        /// How often an object of a path was created.
        static readonly Dictionary<string, int> created = new Dictionary<string, int>();

        /// Discovery: the kinds that exist.
        public static void Document(string path, string json) { lock (gate) documents[path] = json; }
        /// A kind of object that can be written and listed, by the word in its paths.
        public static void Kind(string word, string version, string kind) { lock (gate) kinds[word] = new[] { version, kind }; }

        static KeyValuePair<int, string> Kept(string verb, string path, string query, string body)
        {
            var words = path.Split('/');
            var asked = Query(query);
            var last = words[words.Length - 1];
            // Watches that begin with what there is are new: kubectl lists instead where they are refused.
            if (asked.ContainsKey("sendInitialEvents")) return Pair(422, "unknown");
            if (asked.ContainsKey("watch")) return new KeyValuePair<int, string>(200, "");
            if (verb == "POST" && last == "token") return objects.ContainsKey(path.Substring(0, path.Length - 6)) ? Token(words) : Pair(404, Resource(path.Substring(0, path.Length - 6)) + " not found");
            if (kinds.TryGetValue(last, out var listed)) return verb == "POST" && body != "" ? Create(path, body, asked) : new KeyValuePair<int, string>(200, List(path, listed, asked));
            var at = last == "approval" || last == "status" ? path.Substring(0, path.Length - last.Length - 1) : path;
            if (!objects.TryGetValue(at, out var old)) return Pair(404, Resource(at) + " not found");
            if (verb == "GET") return new KeyValuePair<int, string>(200, Whole(at, FillToken(at, old)));
            if (verb == "DELETE") { Delete(at); if (at.Contains("/pods/")) StartFlanneld(); return new KeyValuePair<int, string>(200, Whole(at, old)); }
            // The typed clients of kubectl send protobuf, in requests whose body adds nothing here.
            var sent = body.StartsWith("{") ? JsonNode.Parse(body) : new JsonObject();
            var next = Whole(at, Merged(JsonNode.Parse(old), sent).ToJsonString());
            if (last == "approval") next = Signed(next);
            if (!asked.ContainsKey("dryRun")) objects[at] = next;
            return new KeyValuePair<int, string>(200, next);
        }

        static KeyValuePair<int, string> Create(string path, string body, IDictionary<string, string> asked)
        {
            var made = JsonNode.Parse(body);
            var at = path + "/" + (string)made["metadata"]["name"];
            if (objects.ContainsKey(at)) return Pair(409, Resource(at) + " already exists");
            var whole = Whole(at, body);
            if (!asked.ContainsKey("dryRun"))
            {
                created[at] = created.TryGetValue(at, out var times) ? times + 1 : 1;
                objects[at] = whole = Whole(at, body);
                KnowBootstrapToken(made);
            }
            return new KeyValuePair<int, string>(201, whole);
        }

        /// An object that is created again has another uid.
        static string Uid(string path) { return created.TryGetValue(path, out var times) && times > 1 ? path + "#" + times : path; }

        /// Deleting an account deletes its Secrets, and a token works as long as its Secret exists:
        /// pkg/controller/serviceaccount/tokens_controller.go, pkg/serviceaccount/legacy.go (Validate)
        static void Delete(string path)
        {
            objects.Remove(path, out var json);
            var words = path.Split('/');
            if (words[words.Length - 2] == "secrets" && IsAccountToken(JsonNode.Parse(json), out var account)) tokens.Remove(AccountToken(words[4], account));
            if (words[words.Length - 2] != "serviceaccounts") return;
            var name = words[words.Length - 1];
            var folder = string.Join("/", words.Take(5)) + "/secrets/";
            foreach (var secret in objects.Where(one => one.Key.StartsWith(folder) && IsAccountToken(JsonNode.Parse(one.Value), out var of) && of == name).Select(one => one.Key).ToArray())
            {
                objects.Remove(secret);
                tokens.Remove(AccountToken(words[4], name));
            }
        }

        static bool IsAccountToken(JsonNode secret, out string account)
        {
            account = (string)secret["metadata"]?["annotations"]?["kubernetes.io/service-account.name"];
            return (string)secret["type"] == "kubernetes.io/service-account-token" && account != null;
        }

        /// Its claims are the account, the uid of the account and the Secret's name, and no time: pkg/serviceaccount/legacy.go (LegacyClaims)
        static string AccountToken(string space, string account)
        {
            var path = "/api/v1/namespaces/" + space + "/serviceaccounts/" + account;
            return "secret-of-" + account + Uid(path).Substring(path.Length).Replace("#", "-");
        }

        static string List(string path, string[] kind, IDictionary<string, string> asked)
        {
            asked.TryGetValue("labelSelector", out var labels);
            asked.TryGetValue("fieldSelector", out var fields);
            var items = objects.Where(one => one.Key.StartsWith(path + "/") && one.Key.IndexOf('/', path.Length + 1) < 0)
                .Select(one => JsonNode.Parse(Whole(one.Key, one.Value)))
                .Where(one => (labels ?? "").Split(',').All(label => label == "" || (string)one["metadata"]["labels"]?[label.Split('=')[0]] == label.Split('=')[1]))
                .Where(one => fields == null || !fields.StartsWith("metadata.name=") || fields == "metadata.name=" + (string)one["metadata"]["name"]);
            var list = new JsonObject { ["apiVersion"] = kind[0], ["kind"] = kind[1] + "List", ["metadata"] = new JsonObject { ["resourceVersion"] = "1" } };
            list["items"] = new JsonArray(items.ToArray());
            return list.ToJsonString();
        }

        /// With what the API server adds where it is not said.
        static string Whole(string path, string json)
        {
            var words = path.Split('/');
            if (!kinds.TryGetValue(words[words.Length - 2], out var kind)) return json;
            var whole = (JsonObject)JsonNode.Parse(json);
            if (whole["apiVersion"] == null) whole["apiVersion"] = kind[0];
            if (whole["kind"] == null) whole["kind"] = kind[1];
            if (whole["metadata"] == null) whole["metadata"] = new JsonObject();
            whole["metadata"]["name"] = words[words.Length - 1];
            whole["metadata"]["uid"] = Uid(path);
            whole["metadata"]["resourceVersion"] = "1";
            return whole.ToJsonString();
        }

        /// RFC 7396, which is also what a strategic merge comes to for objects without lists that merge.
        static JsonNode Merged(JsonNode old, JsonNode patch)
        {
            if (!(patch is JsonObject changes)) return patch?.DeepClone();
            var result = old is JsonObject ? (JsonObject)old.DeepClone() : new JsonObject();
            foreach (var change in changes)
                if (change.Value == null) result.Remove(change.Key);
                else result[change.Key] = Merged(result[change.Key], change.Value);
            return result;
        }

        /// The token controller is not at once: the first look at a Secret finds none.
        /// pkg/controller/serviceaccount/tokens_controller.go
        static string FillToken(string path, string json)
        {
            var secret = JsonNode.Parse(json);
            if (!IsAccountToken(secret, out var account) || secret["data"] != null || looked.Add(path)) return json;
            var token = AccountToken(path.Split('/')[4], account);
            tokens[token] = "system:serviceaccount:" + path.Split('/')[4] + ":" + account;
            secret["data"] = new JsonObject { ["token"] = Base64(token), ["ca.crt"] = Base64(Pem(ca)) };
            return objects[path] = secret.ToJsonString();
        }

        /// A TokenRequest; one for a year gets a day, as in some clusters.
        static KeyValuePair<int, string> Token(string[] words)
        {
            var token = "token-of-" + words[words.Length - 2];
            tokens[token] = "system:serviceaccount:" + words[4] + ":" + words[words.Length - 2];
            var until = new JsonObject { ["token"] = token, ["expirationTimestamp"] = Now.AddDays(1).ToString("yyyy-MM-ddTHH:mm:ssZ") };
            return new KeyValuePair<int, string>(201, new JsonObject { ["apiVersion"] = "authentication.k8s.io/v1", ["kind"] = "TokenRequest", ["status"] = until }.ToJsonString());
        }

        /// plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go: the Secret's type, use and groups decide.
        static void KnowBootstrapToken(JsonNode secret)
        {
            var said = secret["stringData"];
            if ((string)secret["type"] != "bootstrap.kubernetes.io/token" || (string)said?["usage-bootstrap-authentication"] != "true") return;
            if (!((string)said["auth-extra-groups"] ?? "").StartsWith("system:bootstrappers:")) return;
            var groups = ((string)said["auth-extra-groups"]).Replace(",", " ");
            tokens[(string)said["token-id"] + "." + (string)said["token-secret"]] = "system:bootstrap:" + (string)said["token-id"] + " " + groups;
        }

        /// pkg/controller/certificates/signer: what was approved is signed, for clients as the request says.
        static string Signed(string json)
        {
            var request = JsonNode.Parse(json);
            if ((string)request["spec"]["signerName"] != "kubernetes.io/kube-apiserver-client") return json;
            var pem = Encoding.ASCII.GetString(Convert.FromBase64String((string)request["spec"]["request"]));
            var asked = CertificateRequest.LoadSigningRequestPem(pem, HashAlgorithmName.SHA256, CertificateRequestLoadOptions.Default, RSASignaturePadding.Pkcs1);
            asked.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension(new OidCollection { new Oid("1.3.6.1.5.5.7.3.2") }, false));
            using (var made = asked.Create(ca.SubjectName, X509SignatureGenerator.CreateForRSA(ca.GetRSAPrivateKey(), RSASignaturePadding.Pkcs1), new DateTime(2025, 12, 1), new DateTime(2030, 12, 1), Serial()))
                request["status"] = new JsonObject { ["certificate"] = Base64(Pem(made)) };
            return request.ToJsonString();
        }

        /// A flanneld on Linux announces the content that its file had when it started: pkg/backend/vxlan/vxlan.go, newSubnetAttrs.
        static void StartFlanneld()
        {
            var map = JsonNode.Parse(objects["/api/v1/namespaces/kube-flannel/configmaps/kube-flannel-cfg"]);
            var backend = JsonNode.Parse((string)map["data"]["net-conf.json"])["Backend"];
            foreach (var path in objects.Keys.Where(one => one.StartsWith("/api/v1/nodes/")).ToArray())
            {
                var node = JsonNode.Parse(objects[path]);
                var said = node["metadata"]["annotations"];
                var data = new JsonObject { ["VNI"] = (int?)backend["VNI"] ?? 1, ["VtepMAC"] = "0e:2a:5b:00:00:01" };
                said["flannel.alpha.coreos.com/backend-type"] = (string)backend["Type"];
                said["flannel.alpha.coreos.com/backend-data"] = (string)backend["Type"] == "vxlan" ? data.ToJsonString() : "null";
                objects[path] = node.ToJsonString();
            }
        }

        static string Reason(int code)
        {
            switch (code)
            {
                case 401: return "Unauthorized";
                case 403: return "Forbidden";
                case 404: return "NotFound";
                case 409: return "AlreadyExists";
                case 422: return "Invalid";
                case 429: return "TooManyRequests";
                case 503: return "ServiceUnavailable";
                default: return "";
            }
        }

        static string Base64(string text) { return Convert.ToBase64String(Encoding.ASCII.GetBytes(text)); }

        static Dictionary<string, string> Query(string text)
        {
            return text.TrimStart('?').Split('&', StringSplitOptions.RemoveEmptyEntries).Select(pair => pair.Split('=', 2))
                .GroupBy(pair => pair[0]).ToDictionary(pairs => pairs.Key, pairs => Uri.UnescapeDataString(pairs.First().Last()));
        }
    }
}
