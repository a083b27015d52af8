// Fields of group managed service accounts for pods.
import * as v from 'valibot'
import { field, group, objectName, subdomain, text } from '../../../model/field.ts'

const domainName = text(
  /^(?=.{3,255}$)[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/,
  'the DNS name of the domain, such as corp.example.com',
)
const guid = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'

/** As in https://github.com/kubernetes-sigs/windows-gmsa/blob/v0.13.0/charts/gmsa/values.yaml, whose schema takes any text. */
const credentialSpec = v.strictObject({
  name: subdomain,
  machineAccountName: text(
    /^[^\s"/\\[\]:;|=,+*?<>@$]{1,20}$/,
    'the name of the gMSA without domain and without $, such as WebApp1',
  ),
  dnsName: domainName,
  dnsTreeName: v.optional(domainName),
  netBiosName: text(
    /^[^\s."/\\:*?<>|]{1,15}$/,
    'the NetBIOS name of the domain: at most 15 characters without dots, such as CORP',
  ),
  guid: text(new RegExp(`^${guid}$`), 'the GUID of the domain, without braces'),
  sid: v.pipe(
    text(
      /^S-1-5-21(?:-(?:0|[1-9]\d{0,9})){3}$/,
      'the SID of the domain: S-1-5-21 and three numbers. The SID of an account has a fourth',
    ),
    v.check(
      (sid) =>
        sid
          .split('-')
          .slice(2)
          .every((number) => Number(number) < 2 ** 32),
      'the SID of the domain, with numbers below 4294967296',
    ),
  ),
  hostAccountConfig: v.optional(
    v.strictObject({
      pluginGUID: text(
        new RegExp(`^\\{${guid}\\}$`),
        'the GUID of the plug-in in braces, such as {CCC2A336-D7F3-4818-A213-272B7924213E}',
      ),
      pluginInput: text(/\S/, 'the input that the plug-in expects'),
    }),
  ),
  serviceAccounts: v.pipe(
    v.array(v.strictObject({ namespace: objectName(63), name: subdomain })),
    v.minLength(1, 'at least one service account: without one, no pod may use it'),
  ),
})

export const gmsa = group(
  {
    credentialSpecs: field(v.array(credentialSpec), [], {
      what: 'GMSACredentialSpecs for pods, each with the service accounts whose pods may use it.',
      why: 'The API server stores any text, and the container fails at its start. With `hostAccountConfig`, a plug-in of Container Credential Guard fetches the password; without it, nodes must be in the domain. See docs/gmsa.md.',
      example: [
        {
          name: 'webapp1',
          machineAccountName: 'WebApp1',
          dnsName: 'corp.example.com',
          netBiosName: 'CORP',
          guid: '244818ae-87ac-4fcd-92ec-e79e5252348a',
          sid: 'S-1-5-21-2126449477-2524075714-3094792973',
          serviceAccounts: [{ namespace: 'web', name: 'webapp' }],
        },
      ],
    }),
  },
  'Group managed service accounts of Active Directory for pods; the webhook of windows-gmsa must run in the cluster.',
)
