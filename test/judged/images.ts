// Cases of image references as profiles: an image is the sandbox image, a registry one with a mirror.
import type { Express, Expression } from './case.ts'
import { put } from './document.ts'

const mirror = [{ url: 'https://mirror.example.com' }]

export const expressImage: Express = ({ input = {} }): Expression => {
  const { image, registry } = input
  if (typeof registry === 'string')
    return { profile: put(['registry', 'mirrors', registry], mirror) }
  if (image !== undefined) return { profile: put(['sandboxImage'], image) }
  return { because: 'it names neither an image nor a registry' }
}
