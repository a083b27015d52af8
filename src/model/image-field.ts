// The shape of an image, for fields.
import * as v from 'valibot'
import { parseImage } from '../go/image-reference.ts'

export const image = v.pipe(
  v.string(),
  v.check(
    (written) => parseImage(written) !== undefined,
    'an image such as registry.example.com/name:1.0.0',
  ),
)
