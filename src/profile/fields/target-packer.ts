// Fields of the target packer: who builds the image.
import * as v from 'valibot'
import { group, open } from '../../model/field.ts'
import { packerBuilders } from '../../model/target-settings.ts'

const when = 'with `--for packer`'

export const packer = group(
  {
    builder: open(v.picklist(packerBuilders), {
      what: 'The builder of Packer that makes the machine; other for one that you bring.',
      why: 'Each has settings of its own, and its own way to take the identity of a machine away. Without it `--for packer` is refused.',
      when,
      example: 'azure-arm',
    }),
    source: open(
      v.pipe(v.string(), v.regex(/^[\w-]+\.[\w-]+$/, 'TYPE.NAME, such as qemu.windows')),
      {
        what: 'The source block that you bring, as TYPE.NAME.',
        why: 'The template builds it, and leaves its sysprep to you.',
        when: 'with `--for packer`, and builder other',
        example: 'qemu.windows',
      },
    ),
  },
  'Images that Packer builds.',
)
