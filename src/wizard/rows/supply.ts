// Where images and programs come from, and how the machine reaches them.
import { mirrors, proxy } from '../addresses.ts'
import { topicRows } from '../row.ts'

export const supply = topicRows('supply', [
  {
    id: 'proxy',
    path: ['host', 'proxy'],
    title: 'Through which proxy does the machine reach the internet?',
    ask: 'always',
    writing: proxy,
    example: 'http://proxy.example.com:3128',
    without: 'no proxy',
  },
  {
    id: 'mirrors',
    path: ['registry', 'mirrors'],
    title: 'Which mirrors shall be asked before a registry?',
    ask: 'always',
    writing: mirrors,
    without: 'no mirrors: images come from their registries',
  },
  {
    id: 'downloads',
    path: ['artifacts', 'baseURLs'],
    title: 'Which other addresses do programs come from?',
    ask: 'always',
    without: 'programs come from their publishers',
  },
])
