// Questions about the proxy, registry mirrors and download mirrors.
import { downloads, mirrors, proxy } from '../field-codecs.ts'
import { topicRows } from '../row.ts'

export const supply = topicRows('supply', [
  {
    id: 'proxy',
    path: ['host', 'proxy'],
    title: 'HTTP proxy',
    ask: 'always',
    codec: proxy,
    example: 'http://proxy.example.com:3128',
    fallbackText: 'none',
  },
  {
    id: 'mirrors',
    path: ['registry', 'mirrors'],
    title: 'Registry mirrors',
    ask: 'always',
    codec: mirrors,
    fallbackText: 'none',
  },
  {
    id: 'downloads',
    path: ['artifacts', 'baseURLs'],
    title: 'Download mirrors (kubernetes, github, nssm)',
    ask: 'always',
    codec: downloads,
    fallbackText: 'upstream',
  },
])
