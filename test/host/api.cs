// An API server on loopback with its own certificate authority: TLS, authentication, authorization, and objects.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;

namespace WinNodeHost
{
    /// One at a time. What it holds is by path; what changes it are stand-ins of programs, in the same process.
    public static partial class ApiServer
    {
        static X509Certificate2 ca, server;
        static readonly Lazy<X509Certificate2> foreign = new Lazy<X509Certificate2>(() => Authority("kubernetes"));
        static readonly Lazy<X509Certificate2> other = new Lazy<X509Certificate2>(() => Authority("other"));
        /// As which text the authority is kept.
        static string known;
        // One for the process: to make another at each start takes longer than most that a test does with it.
        static readonly RSA serving = RSA.Create(2048);
        static X509Certificate2Collection beside = new X509Certificate2Collection();
        static TcpListener listener;
        static readonly object gate = new object();
        static readonly Dictionary<string, string> objects = new Dictionary<string, string>();
        static readonly Dictionary<string, string> tokens = new Dictionary<string, string>();
        static readonly List<string> requests = new List<string>();
        static int silent;

        /// Its time.
        public static DateTime Now = DateTime.UtcNow;
        /// Whether it takes requests without credentials.
        public static bool Anonymous = true;
        /// Answers each request with this code instead, where it is not 0: 503 while it starts.
        public static int Answers;
        /// Takes connections and says nothing, as a load balancer does that has no server behind it.
        public static bool Deaf;
        public static bool Mute;
        public static int Port { get; private set; }
        public static bool Listens { get; private set; }
        public static string CaPem { get { return Pem(ca); } }
        public static string ForeignPem { get { return Pem(foreign.Value); } }

        /// Listens, with a fresh authority unless there is one from before.
        public static void Start(string authority)
        {
            lock (gate) { objects.Clear(); tokens.Clear(); requests.Clear(); kinds.Clear(); documents.Clear(); looked.Clear(); created.Clear(); Answers = 0; Anonymous = true; Deaf = false; }
            if (!string.IsNullOrEmpty(authority))
            {
                // Mostly the existing one: reading it takes longer than most uses of it in a test.
                if (authority != known) ca = X509CertificateLoader.LoadPkcs12(Convert.FromBase64String(authority), "", X509KeyStorageFlags.Exportable);
                known = authority;
            }
            else if (ca == null) ca = Authority("kubernetes");
            Serve("ca", new DateTime(2025, 1, 1), new DateTime(2035, 1, 1));
            Open();
        }

        public static string Authorities()
        {
            if (known == null) known = Convert.ToBase64String(ca.Export(X509ContentType.Pkcs12, ""));
            return known;
        }

        /// Refuses connections from now on.
        public static void Stop()
        {
            Listens = false;
            if (listener != null) listener.Stop();
            listener = null;
        }

        /// Takes connections, at the port that this process has had from the beginning.
        public static void Open()
        {
            Listens = true;
            if (listener != null) return;
            listener = new TcpListener(IPAddress.Loopback, Port);
            listener.Start();
            Port = ((IPEndPoint)listener.LocalEndpoint).Port;
            var mine = listener;
            new Thread(() => Accept(mine)) { IsBackground = true }.Start();
        }

        /// Serves with a certificate of these days: of the authority, of a foreign one with the same name, of one with another
        /// name, of one in between that the authority signed, or, forged, of a certificate that it signed and that may sign
        /// nothing. It sends what is in between.
        public static void Serve(string who, DateTime from, DateTime until)
        {
            var between = who == "between" || who == "forged" ? Between(who == "between") : null;
            beside = between == null ? new X509Certificate2Collection() : new X509Certificate2Collection(X509CertificateLoader.LoadCertificate(between.RawData));
            server = Serving(between ?? (who == "foreign" ? foreign.Value : who == "other" ? other.Value : ca), from, until);
        }

        public static string BetweenPem { get { return Pem(beside[0]); } }

        public static void Put(string path, string json) { lock (gate) objects[path] = json; }
        public static void Remove(string path) { lock (gate) objects.Remove(path); }
        public static string Get(string path) { lock (gate) return objects.TryGetValue(path, out var json) ? json : null; }
        public static string[] Paths() { lock (gate) return objects.Keys.ToArray(); }
        public static string[] Requests() { lock (gate) return requests.ToArray(); }
        public static void Token(string token, string user) { lock (gate) { if (string.IsNullOrEmpty(user)) tokens.Remove(token); else tokens[token] = user; } }

        /// What an object is answered with: status and text, as for a request over the network.
        public static KeyValuePair<int, string> Ask(string token, string verb, string path) { return Either(User(token), verb, path, ""); }

        /// The same for a client with a certificate.
        public static KeyValuePair<int, string> AskWith(string pem, string verb, string path)
        {
            using (var one = X509Certificate2.CreateFromPem(pem)) return Either(User(one), verb, path, "");
        }

        static KeyValuePair<int, string> Either(string user, string verb, string path, string text)
        {
            return Answers != 0 ? new KeyValuePair<int, string>(Answers, Status(Answers, "not now")) : Answer(user, verb, path, text);
        }

        /// The code alone, for a caller by his name and groups.
        public static int Code(string caller, string verb, string path) { return Answer(string.IsNullOrEmpty(caller) ? null : caller, verb, path, "").Key; }

        /// A certificate for a client, with its key, as the kubelet keeps them; of another cluster, if given.
        public static string Client(string name, string group, DateTime from, DateTime until, bool strange = false)
        {
            var by = strange ? foreign.Value : ca;
            using (var key = ECDsa.Create(ECCurve.NamedCurves.nistP256))
            {
                var request = new CertificateRequest("O=" + group + ", CN=" + name, key, HashAlgorithmName.SHA256);
                request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
                request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension(new OidCollection { new Oid("1.3.6.1.5.5.7.3.2") }, false));
                using (var made = request.Create(by.SubjectName, X509SignatureGenerator.CreateForRSA(by.GetRSAPrivateKey(), RSASignaturePadding.Pkcs1), from, until, Serial()))
                    return Pem(made) + PemEncoding.WriteString("EC PRIVATE KEY", key.ExportECPrivateKey()) + "\n";
            }
        }

        /// Whether it takes such a certificate.
        public static bool Knows(string pem) { using (var one = X509Certificate2.CreateFromPem(pem)) return User(one) != null; }

        /// What a kubelet sends to ask for such a certificate.
        public static string Request(string name, string group)
        {
            using (var key = ECDsa.Create(ECCurve.NamedCurves.nistP256))
                return new CertificateRequest("CN=" + name + ", O=" + group, key, HashAlgorithmName.SHA256).CreateSigningRequestPem();
        }

        /// The digest that kubeadm prints for an authority.
        public static string Digest(string pem)
        {
            using (var one = X509Certificate2.CreateFromPem(pem))
                return "sha256:" + Convert.ToHexString(SHA256.HashData(one.PublicKey.ExportSubjectPublicKeyInfo())).ToLowerInvariant();
        }

        /// What a client that trusts this authority finds wrong with the certificate that is served; nothing, or Go's words.
        public static string Doubt(string pem)
        {
            var from = server.NotBefore.ToUniversalTime();
            var until = server.NotAfter.ToUniversalTime();
            const string bad = "tls: failed to verify certificate: x509: ";
            if (Now < from || Now > until)
            {
                var which = Now < from ? " is before " + from.ToString("s") + "Z" : " is after " + until.ToString("s") + "Z";
                return bad + "certificate has expired or is not yet valid: current time " + Now.ToString("s") + "Z" + which;
            }
            var trusted = new X509Certificate2Collection();
            trusted.ImportFromPem(pem);
            using (var chain = new X509Chain())
            {
                // As in Go, each certificate that is given is trusted, wherever it is in the chain.
                chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
                chain.ChainPolicy.CustomTrustStore.AddRange(trusted);
                chain.ChainPolicy.ExtraStore.AddRange(beside);
                chain.ChainPolicy.ExtraStore.AddRange(trusted);
                chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
                chain.ChainPolicy.VerificationFlags = X509VerificationFlags.IgnoreNotTimeValid | X509VerificationFlags.AllowUnknownCertificateAuthority;
                var good = chain.Build(server) && chain.ChainElements.Any(one => trusted.Any(other => other.Thumbprint == one.Certificate.Thumbprint));
                if (good) return "";
                var twin = trusted.FirstOrDefault(one => one.Subject == server.Issuer);
                var hint = twin == null ? "" : " (possibly because of \"crypto/rsa: verification error\" while trying to verify candidate authority certificate \"" + twin.GetNameInfo(X509NameType.SimpleName, false) + "\")";
                return bad + "certificate signed by unknown authority" + hint;
            }
        }

        static X509Certificate2 Authority(string name)
        {
            using (var key = RSA.Create(2048))
            {
                var request = new CertificateRequest("CN=" + name, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
                request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
                var made = request.CreateSelfSigned(new DateTime(2024, 1, 1), new DateTime(2044, 1, 1));
                return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12, ""), "", X509KeyStorageFlags.Exportable);
            }
        }

        static X509Certificate2 Between(bool signs)
        {
            var key = RSA.Create(2048);
            var request = new CertificateRequest("CN=between", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
            request.CertificateExtensions.Add(new X509BasicConstraintsExtension(signs, false, 0, true));
            using (var made = request.Create(ca, new DateTime(2024, 2, 1), new DateTime(2043, 1, 1), Serial())) return made.CopyWithPrivateKey(key);
        }

        static X509Certificate2 Serving(X509Certificate2 by, DateTime from, DateTime until)
        {
            var request = new CertificateRequest("CN=kube-apiserver", serving, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
            var names = new SubjectAlternativeNameBuilder();
            names.AddDnsName("kubernetes");
            names.AddDnsName("localhost");
            names.AddIpAddress(IPAddress.Loopback);
            request.CertificateExtensions.Add(names.Build());
            using (var made = request.Create(by.SubjectName, X509SignatureGenerator.CreateForRSA(by.GetRSAPrivateKey(), RSASignaturePadding.Pkcs1), from, until, Serial()))
            using (var pair = made.CopyWithPrivateKey(serving))
                return X509CertificateLoader.LoadPkcs12(pair.Export(X509ContentType.Pkcs12, ""), "");
        }

        static byte[] Serial() { var serial = RandomNumberGenerator.GetBytes(12); serial[0] &= 127; return serial; }
        static string Pem(X509Certificate2 one) { return PemEncoding.WriteString("CERTIFICATE", one.RawData) + "\n"; }

        static void Accept(TcpListener mine)
        {
            for (;;)
            {
                TcpClient client;
                try { client = mine.AcceptTcpClient(); if (Deaf) { client.Close(); continue; } } catch (SocketException) { return; } catch (ObjectDisposedException) { return; } catch (InvalidOperationException) { return; }
                ThreadPool.QueueUserWorkItem(_ => { try { using (client) Talk(client); } catch (Exception) { Interlocked.Increment(ref silent); } });
            }
        }

        static void Talk(TcpClient client)
        {
            client.ReceiveTimeout = 30000;
            using (var tls = new SslStream(client.GetStream(), false, (a, b, c, d) => true))
            {
                tls.AuthenticateAsServer(new SslServerAuthenticationOptions { ServerCertificateContext = SslStreamCertificateContext.Create(server, beside, true), ClientCertificateRequired = true });
                var reader = new StreamReader(tls, Encoding.Latin1);
                var first = (reader.ReadLine() ?? "").Split(' ');
                var token = "";
                var length = 0;
                for (var line = reader.ReadLine(); !string.IsNullOrEmpty(line); line = reader.ReadLine())
                {
                    if (line.StartsWith("Authorization: Bearer ", StringComparison.OrdinalIgnoreCase)) token = line.Substring(22);
                    if (line.StartsWith("Content-Length: ", StringComparison.OrdinalIgnoreCase)) length = int.Parse(line.Substring(16));
                }
                var sent = new char[length];
                var text = Encoding.UTF8.GetString(Encoding.Latin1.GetBytes(sent, 0, reader.ReadBlock(sent, 0, length)));
                var user = tls.RemoteCertificate == null ? User(token) : User(new X509Certificate2(tls.RemoteCertificate));
                if (Mute) return;
                var answer = Either(user, first[0], first[1], text);
                var body = Encoding.UTF8.GetBytes(answer.Value);
                var head = "HTTP/1.0 " + answer.Key + " said\r\nDate: " + Now.ToString("r") + "\r\nContent-Type: application/json\r\n\r\n";
                tls.Write(Encoding.ASCII.GetBytes(head));
                tls.Write(body);
                tls.ShutdownAsync().Wait(1000);
            }
        }

        static string User(string token)
        {
            if (string.IsNullOrEmpty(token)) return Anonymous ? "system:anonymous" : null;
            lock (gate) return tokens.TryGetValue(token, out var user) ? user : null;
        }

        static string User(X509Certificate2 one)
        {
            var chain = new X509Chain();
            chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            chain.ChainPolicy.CustomTrustStore.Add(ca);
            chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
            chain.ChainPolicy.VerificationTime = Now;
            if (!chain.Build(one)) return null;
            var groups = one.SubjectName.EnumerateRelativeDistinguishedNames().Where(part => part.GetSingleElementType().FriendlyName == "O");
            return string.Join(" ", groups.Select(part => part.GetSingleElementValue()).Prepend(one.GetNameInfo(X509NameType.SimpleName, false)));
        }

        static KeyValuePair<int, string> Answer(string user, string verb, string path, string body)
        {
            lock (gate)
            {
                requests.Add((user ?? "nobody").Split(' ')[0] + " " + verb + " " + path);
                if (user == null) return Pair(401, "Unauthorized");
                var plain = path.Split('?')[0];
                if (!Authorizer.May(user, verb, path)) return Pair(403, Resource(plain) + " is forbidden: User \"" + user.Split(' ')[0] + "\" cannot get resource");
                if (documents.TryGetValue(plain, out var document)) return new KeyValuePair<int, string>(200, document);
                if (kinds.Count > 0) return Kept(verb, plain, path.Substring(plain.Length), body);
                if (objects.TryGetValue(plain, out var found)) return new KeyValuePair<int, string>(200, found);
                var items = objects.Where(one => one.Key.StartsWith(plain + "/") && one.Key.IndexOf('/', plain.Length + 1) < 0).Select(one => one.Value).ToArray();
                var list = Regex.IsMatch(plain, "/(nodes|certificatesigningrequests|services|servicecidrs|endpointslices)$");
                return list ? new KeyValuePair<int, string>(200, "{\"items\":[" + string.Join(",", items) + "]}") : Pair(404, Resource(plain) + " not found");
            }
        }

        static KeyValuePair<int, string> Pair(int code, string message) { return new KeyValuePair<int, string>(code, Status(code, message)); }
        static string Status(int code, string message) { return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"" + Reason(code) + "\",\"message\":" + System.Text.Json.JsonSerializer.Serialize(message) + ",\"code\":" + code + "}"; }
        static string Resource(string path) { var words = path.Split('/'); return words.Length < 2 ? path : words[words.Length - 2] + " \"" + words[words.Length - 1] + "\""; }
    }
}
