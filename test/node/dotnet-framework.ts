// What the scripts use of .NET, all of it in .NET Framework 4.7.2, on which Windows PowerShell 5.1 runs.

/**
 * By namespace and type: `name` is a property or a field, `name/2` what takes two arguments, `new/1` a
 * constructor. Types stand where a later .NET takes another kind of argument too: a text of several characters
 * is one separator to its Split, and several separators to that of 4.7.2. Each was looked up in the package
 * Microsoft.NETFramework.ReferenceAssemblies.net472; `addressOf` gives the page where a person finds it.
 */
const namespaces: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Microsoft.Win32': {
    RegistryKey: 'GetValue/3 GetValueKind/1 GetValueNames/0',
  },
  System: {
    Array: 'new/1 Length',
    BitConverter: 'GetBytes/1 ToInt32/2 ToString/1',
    Boolean: '',
    Byte: '',
    Char: '',
    Console: 'InputEncoding',
    Convert: 'FromBase64String/1 ToBase64String/1 ToInt32/2 ToString/2',
    DateTime:
      'new/3 AddHours/1 AddMinutes/1 AddSeconds/1 MaxValue ToString/2 ToUniversalTime/0 UtcNow',
    DateTimeOffset: 'AddDays/1 AddMinutes/1 FromUnixTimeSeconds/1 Parse/2 UtcDateTime UtcNow',
    Decimal: 'Parse/2',
    Double: 'Parse/2',
    Environment: 'GetFolderPath/1 Is64BitProcess',
    Exception: 'GetBaseException/0 HResult InnerException Message',
    Guid: 'NewGuid/0',
    IAsyncResult: 'AsyncWaitHandle',
    IConvertible: 'ToString/1',
    IFormattable: 'ToString/2',
    Int32: 'MaxValue',
    Int64: 'Parse/2',
    Math: 'Abs/1 Ceiling/1 Floor/1 Min/2 Pow/2 Round/1 Round/2',
    NotSupportedException: 'new/1',
    Object: 'GetType/0 ToString/0',
    OperationCanceledException: '',
    String:
      'Contains(string) EndsWith(string) EndsWith/2 IndexOf/1 LastIndexOf/1 LastIndexOfAny/1 Length Replace/2 Split(char[]) StartsWith(string) StartsWith/2 Substring/1 Substring/2 ToLowerInvariant/0 ToUpperInvariant/0 Trim/0 Trim/1 TrimEnd/0 TrimEnd/1 TrimEnd/2 TrimStart/1',
    StringComparison: 'OrdinalIgnoreCase',
    TimeoutException: 'new/1',
    TimeSpan: 'FromMinutes/1 TotalSeconds',
    Type: 'FullName',
    UInt32: '',
    UnauthorizedAccessException: '',
    Uri: 'new/1 new/2 Authority DnsSafeHost IsFile IsLoopback LocalPath Port Scheme UnescapeDataString/1 UserInfo',
    Void: '',
  },
  'System.Collections': {
    ArrayList: 'new/0 new/1 Add/1 Clear/0 Contains/1 Count ToArray/0',
    DictionaryEntry: 'Key Value',
    Hashtable: 'new/0 Clone/0 Contains/1 ContainsKey/1 Keys',
    ICollection: '',
    IDictionary: 'Add/2 Contains/1 Count GetEnumerator/0 Keys Remove/1',
    IDictionaryEnumerator: '',
    IEnumerator: 'Current MoveNext/0',
    IList: 'Contains/1',
    Stack: 'new/0 Count Peek/0 Pop/0 Push/1',
  },
  'System.Collections.Specialized': {
    OrderedDictionary: 'new/0 Keys',
  },
  'System.Globalization': {
    CultureInfo: 'InvariantCulture',
  },
  'System.Diagnostics.CodeAnalysis': {
    SuppressMessageAttribute: '',
  },
  'System.Diagnostics': {
    EventLog: 'WriteEntry/4',
    Process:
      'ExitCode HasExited Kill/0 StandardError StandardInput StandardOutput Start/1 WaitForExit/1',
    ProcessStartInfo:
      'new/2 CreateNoWindow RedirectStandardError RedirectStandardInput RedirectStandardOutput StandardErrorEncoding StandardOutputEncoding UseShellExecute',
  },
  'System.IO': {
    Directory: 'CreateDirectory/1 Delete/1',
    File: 'AppendAllText/2 Create/1 Create/3 Delete/1 Exists/1 Move/2 Open/2 Open/4 ReadAllBytes/1 ReadAllText/1 Replace/4 SetAttributes/2 WriteAllText/2',
    FileAttributes: 'ReparsePoint',
    FileInfo: 'Attributes FullName LastWriteTimeUtc Length Name',
    DirectoryNotFoundException: '',
    FileNotFoundException: '',
    FileStream: 'CopyTo/1 Dispose/0 Flush/1 Length Position SetLength/1',
    IOException: '',
    MemoryStream: 'new/1',
    Path: 'PathSeparator',
    Stream: 'Dispose/0 Flush/0 Position Read/3 Write/3',
    StreamReader: 'new/1 ReadAsync/3 ReadToEnd/0 ReadToEndAsync/0',
    StreamWriter: 'Close/0',
  },
  'System.IO.Compression': {
    ZipArchive: 'new/1 Dispose/0 Entries',
    ZipArchiveEntry: 'FullName Open/0',
  },
  'System.Net': {
    Dns: 'GetHostAddresses/1',
    HttpWebRequest:
      'AddRange/1 AllowAutoRedirect GetResponse/0 Proxy ReadWriteTimeout Timeout UserAgent',
    HttpWebResponse: 'Close/0 ContentLength GetResponseStream/0 Headers StatusCode',
    IPAddress: 'Loopback',
    NetworkCredential: 'new/2',
    SecurityProtocolType: 'Tls12',
    ServicePointManager: 'SecurityProtocol',
    WebClient: 'new/0 Dispose/0 DownloadData/1 DownloadFile/2 Proxy',
    WebException: 'Response',
    WebProxy: 'new/0 new/1 Address Credentials',
    WebRequest: 'Create/1',
  },
  'System.Net.Security': {
    SslStream: 'new/2 AuthenticateAsServer/4',
  },
  'System.Net.Sockets': {
    TcpClient: 'Close/0 GetStream/0 ReceiveTimeout SendTimeout',
    TcpListener: 'new/2 AcceptTcpClient/0 Pending/0 Start/0 Stop/0',
  },
  'System.Security.AccessControl': {
    ObjectSecurity: 'SetSecurityDescriptorSddlForm/2',
  },
  'System.Security.Cryptography': {
    CryptoConfig: 'EncodeOID/1',
    ECDsaCng: 'Key',
    HashAlgorithmName: 'SHA256',
    Oid: 'Value',
    RSA: 'Create/1 ExportParameters/1',
    RSAParameters: 'D DP DQ Exponent InverseQ Modulus P Q',
    RSASignaturePadding: 'Pkcs1',
    SHA256: 'ComputeHash/1 Create/0 Dispose/0',
    SHA256CryptoServiceProvider: 'new/0 ComputeHash/1',
  },
  'System.Security.Cryptography.X509Certificates': {
    CertificateRequest: 'new/4 CertificateExtensions Create/4 CreateSelfSigned/2',
    PublicKey: 'EncodedKeyValue EncodedParameters Oid',
    RSACertificateExtensions: 'CopyWithPrivateKey/2',
    SubjectAlternativeNameBuilder: 'new/0 AddDnsName/1 AddIpAddress/1 Build/0',
    X509BasicConstraintsExtension: 'new/4',
    X509Certificate2:
      'new/1 new/3 Dispose/0 Export/2 GetNameInfo/2 NotAfter NotBefore PublicKey RawData Thumbprint',
    X509Certificate2Collection: 'Add/1',
    X509CertificateCollection: 'Add/1',
    X509ChainElement: 'Certificate',
    X509ChainElementCollection: 'Count',
    X509Extension: 'Oid RawData',
    X509KeyUsageExtension: 'new/2',
  },
  'System.ServiceProcess': {
    ServiceController: 'DisplayName Status WaitForStatus/2',
  },
  'System.Text': {
    Encoding: 'ASCII GetBytes/1 GetEncoding/1 GetPreamble/0 GetString/1 GetString/3 UTF8',
    StringBuilder: 'new/0 Append/1 Append/3 ToString/0',
    UTF8Encoding: 'new/1 GetBytes/1',
  },
  'System.Text.RegularExpressions': {
    Group: 'Success Value',
    Match: 'Groups Index Length NextMatch/0 Success Value',
    Regex: 'new/1 Escape/1 IsMatch/1 Match/1 Match/2 Matches/2 Replace/2 Replace/3 Replace/4',
  },
  'System.Threading': {
    CancellationTokenSource: 'new/1 Dispose/0 Token',
    Thread: 'Sleep/1',
    WaitHandle: 'WaitOne/1',
  },
  'System.Threading.Tasks': {
    Task: 'Result Wait/1 Wait/2',
  },
}

/** Type with its namespace, and what is used of it. */
export const framework: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(namespaces).flatMap(([namespace, types]) =>
    Object.entries(types).map(([type, members]) => [
      `${namespace}.${type}`,
      members.split(' ').filter((member) => member !== ''),
    ]),
  ),
)

export function addressOf(type: string): string {
  return `https://learn.microsoft.com/dotnet/api/${type.toLowerCase()}?view=netframework-4.7.2`
}
