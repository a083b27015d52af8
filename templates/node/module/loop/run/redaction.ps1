# Removes secrets from every text that leaves this process.

function Hide-NodeSecret {
    # Removes secrets from a text: those passed to this run, and everything that looks like one.
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory = $true)] [AllowEmptyString()] [string] $Text)

    $plain = $Text
    if ($null -ne $script:Run) {
        foreach ($secret in $script:Run.Secrets) { $plain = $plain.Replace($secret, '<hidden>') }
    }
    # Culture-invariant, because in Turkish the lower case of AUTHORIZATION is not authorization.
    foreach ($pattern in $script:SecretPattern) {
        $plain = [regex]::Replace($plain, $pattern, '${keep}<hidden>', 'CultureInvariant')
    }
    $plain
}

$script:SecretPattern = @(
    # PEM blocks, also with their line ends escaped
    '(?<keep>)-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)'
    # the rest of a PEM block whose start was cut off, as at the start of a log's last lines
    '(?m)(?<keep>)(?<![A-Za-z0-9+/=]\r?\n)(?:^[ \t]*[A-Za-z0-9+/=]{1,76}\r?\n)+[ \t]*-----END [A-Z0-9 ]+-----'
    # lines that are all base64: values that base64 or YAML broke into lines
    '(?m)(?<keep>)(?:^[ \t]*[A-Za-z0-9+/][A-Za-z0-9+/_-]{59,}={0,2}\r?\n){1,5000}' +
    '[ \t]*[A-Za-z0-9+/_-]{4,}={0,2}\r?$'
    # JSON Web Tokens: service accounts, OIDC; consoles break them at their width
    '(?<keep>)\beyJ[A-Za-z0-9_\r\n-]{8,2000}\.[A-Za-z0-9_\r\n-]{1,4000}\.[A-Za-z0-9_-]*'
    # bootstrap tokens; the part before the dot is not secret, but useless without the rest
    '(?<keep>)(?<![A-Za-z0-9.])[a-z0-9]{6}\.[a-z0-9]{16}(?![A-Za-z0-9])'
    # user and password in a URL
    '(?<keep>://)[^/\s:@]+:[^/\s@]+(?=@)'
    # a field, flag or part of a signed URL whose name ends with one of these words; the start of the name is not
    # matched, because a long line would be searched again from each of its letters
    '(?i)(?<keep>(?:token|passw(?:or)?d|secret(?:[_-]?(?:access[_-]?)?key)?|(?:private|api)[_-]?key|' +
    '(?:key|certificate|authority)-data|authorization|sig(?:nature)?|credential)s?' +
    '\\?["'']?\s*[:=]\s*\\?["'']?(?:bearer\s+|basic\s+)?)[^\s"'',;]{6,}'
    # a flag with its value
    '(?i)(?<keep>(?<![\w-])--?[\w-]*(?:token|passw(?:or)?d|secret|creds)[ \t]+["'']?)[^\s"'',;-][^\s"'',;]{5,}'
    # long base64: keys and certificates without BEGIN and END lines
    '(?<keep>)(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{100,}={0,2}'
)
