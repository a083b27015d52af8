// Credential specs of gMSAs: names that are used once, and input of plug-ins that contains no password.
import { defineRule, repeated, when } from '../../model/rule.ts'

const specs = ['cluster', 'gmsa', 'credentialSpecs']

export const specTwice = defineRule({
  id: 'gmsa-spec-given-twice',
  severity: 'error',
  summary: 'Each credential spec has its own name.',
  remedy: 'Rename one of them, or merge their service accounts.',
  see: 'https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/',
  check: ({ spec: { cluster } }) =>
    repeated(
      cluster.gmsa.credentialSpecs.map(({ name }, at) => ({
        name,
        key: name,
        path: [...specs, at, 'name'],
      })),
      (name) => `two credential specs have the name ${name}; the last one applied wins`,
    ),
})

/**
 * `DOMAIN:USER:PASSWORD`, the sample of Microsoft's page. Input that names a store is JSON, `KEY=VALUE`, or has one colon at most.
 */
const password = /^[^:=;{}"]+:[^:=;{}"]+:.+$/

export const inputHasPassword = defineRule({
  id: 'gmsa-plugin-input-has-password',
  severity: 'error',
  harm: 'exposes',
  summary: 'The input of a plug-in for gMSAs contains no password.',
  remedy:
    'Use a plug-in that reads the password from a secret store, and name the secret in pluginInput.',
  see: 'https://learn.microsoft.com/windows/win32/api/ccgplugins/nf-ccgplugins-iccgdomainauthcredentials-getpasswordcredentials',
  check: ({ spec: { cluster } }) =>
    cluster.gmsa.credentialSpecs.flatMap(({ hostAccountConfig }, at) =>
      when(
        password.test(hostAccountConfig?.pluginInput ?? ''),
        [...specs, at, 'hostAccountConfig', 'pluginInput'],
        'pluginInput has the form DOMAIN:USER:PASSWORD; all that may read the object would read the password',
      ),
    ),
})
