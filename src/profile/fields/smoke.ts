// Fields of the smoke test.
import { group, open } from '../../model/field.ts'
import { image } from '../../model/image-field.ts'

export const smoke = group(
  {
    image: open(image, {
      what: 'Image of agnhost for `winnode smoke`; its flag --image takes its place.',
      why: 'The default is the tag of the Kubernetes minor in registry.k8s.io, which nodes without internet access cannot pull. See docs/smoke.md#the-image.',
      example: 'registry.example.com/e2e-test-images/agnhost:2.63.0',
    }),
  },
  'The smoke test of Windows nodes.',
)
