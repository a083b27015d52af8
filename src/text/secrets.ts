// Patterns of secrets, which no profile may contain and no output may show.

/** Each pattern matches in linear time: none backtracks over text it has already scanned. */
const secretPatterns = [
  { what: 'a bootstrap token', of: /(?<![\w.])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.])/ },
  { what: 'a private key', of: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[^"]*/ },
  { what: 'a service account token', of: /\beyJ[\w-]{10,400}\.eyJ[\w-]{10,}\.[\w-]{10,}/ },
  {
    what: 'a password in an address',
    of: /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s/:@]*:[^\s/@]*@/i,
  },
  // https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
  { what: 'a token of GitHub', of: /(?<!\w)(?:gh[a-z]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/ },
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  {
    what: 'a token of GitLab',
    of: /(?<![\w-])gl(?:agent|cbt|dt|ft|imt|oas|pat|ptt|rt|soat|wt)-[\w-]{20,}/,
  },
  // https://docs.slack.dev/authentication/tokens/
  { what: 'a token of Slack', of: /(?<![\w-])xox[a-z]-[\w-]{10,}/ },
  // https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/
  { what: 'a token of npm', of: /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/ },
  // https://docs.stripe.com/keys
  { what: 'a key of Stripe', of: /(?<!\w)[rs]k_live_[A-Za-z0-9]{16,}/ },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-prefixes
  { what: 'an access key of AWS', of: /(?<!\w)(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)/ },
  // https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
  { what: 'an account key of Azure', of: /\bAccountKey=[^\s";]+/i },
  // https://learn.microsoft.com/rest/api/storageservices/create-service-sas#specify-the-signature
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
  { what: 'a signed address', of: /[?&](?:sig|X-Amz-Signature|X-Goog-Signature)=[^\s"&]+/i },
  {
    what: 'a password',
    of: /(?:password|passwd|client[_-]?secret|secret[_-]?access[_-]?key)=[^\s"]+/i,
  },
  { what: 'a password', of: /(?<!\S)--?(?:password|passwd|token|client-secret) [^\s"-][^\s"]*/i },
  // A plain word after "basic" is not a credential; encoded text has a digit, a capital inside, or "=" at its end.
  {
    what: 'credentials of a request',
    of: /\b(?:[Bb]asic|[Bb]earer) (?=[\w+/.~-]*(?:[\d=]|[a-z][A-Z]))[\w+/.~-]{8,}=*/,
  },
] as const

const secretFlag = /^--?(?:password|passwd|token|client-secret)$/i

/** The kinds of secrets in a text, such as `a private key`. */
export function secretsIn(text: string): readonly string[] {
  return secretPatterns.filter(({ of }) => of.test(text)).map(({ what }) => what)
}

/** Whether the argument after this one is a secret: `['--password', VALUE]`. */
export function isSecretFlag(argument: unknown): boolean {
  return typeof argument === 'string' && secretFlag.test(argument)
}

const secretNames = 'password|passwd|token|client[_-]?secret|secret[_-]?access[_-]?key|api[_-]?key'

const secretName = new RegExp(`(?:^|[_-])(?:${secretNames})$`, 'i')

/** The description of a value whose name says that it is a secret: `the value of DB_PASSWORD`. */
export function describeNamedSecret(name: string): string | undefined {
  return secretName.test(name) ? `the value of ${name}` : undefined
}

const globalPatterns = secretPatterns.map(({ of }) => new RegExp(of, `${of.flags}g`))
const namedSecret = new RegExp(`((?:${secretNames})["']?\\s*[:=]\\s*["']?)([^\\s"',}\\]]+)`, 'gi')

/** Replaces secrets by asterisks of the same length, so that a caret below still points to the right column. */
export function redactSecrets(text: string): string {
  return globalPatterns
    .reduce((shown, form) => shown.replace(form, masked), text)
    .replace(namedSecret, (_, name: string, value: string) => name + masked(value))
}

/** Redacts excerpts of a text, and searches a line only once for all of its excerpts. */
export function createRedactor(): (line: string) => string {
  const shown = new Map<string, string>()
  return (line) => {
    const known = shown.get(line) ?? redactSecrets(line)
    shown.set(line, known)
    return known
  }
}

function masked(text: string): string {
  return '*'.repeat(text.length)
}
