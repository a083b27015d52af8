// Questions about the proxy, registry mirrors and download mirrors.
import { mirrors, proxy } from '../field-codecs.ts'
import { topicRows } from '../row.ts'

export const supply = topicRows('supply', [
  {
    id: 'proxy',
    path: ['host', 'proxy'],
    title: 'Through which proxy does the machine reach the internet?',
    ask: 'always',
    codec: proxy,
    example: 'http://proxy.example.com:3128',
    fallbackText: 'no proxy',
  },
  {
    id: 'mirrors',
    path: ['registry', 'mirrors'],
    title: 'Which mirrors shall be asked before a registry?',
    ask: 'always',
    codec: mirrors,
    fallbackText: 'no mirrors: images come from their registries',
  },
  {
    id: 'downloads',
    path: ['artifacts', 'baseURLs'],
    title: 'Which other addresses do programs come from?',
    ask: 'always',
    fallbackText: 'programs come from their publishers',
  },
])
