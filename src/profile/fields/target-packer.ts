// Fields of the target packer: the builder of the image.
import * as v from 'valibot'
import { group, open } from '../../model/field.ts'
import { packerBuilders } from '../../model/target-settings.ts'

const when = 'with `--for packer`'

export const packer = group(
  {
    builder: open(v.picklist(packerBuilders), {
      what: 'Packer builder of the machine; other for your own source block.',
      why: 'Each builder has its own settings and its own way to generalize (sysprep) the image. Required for `--for packer`.',
      when,
      example: 'azure-arm',
    }),
    source: open(
      v.pipe(v.string(), v.regex(/^[\w-]+\.[\w-]+$/, 'TYPE.NAME, such as qemu.windows')),
      {
        what: 'Your source block, as TYPE.NAME.',
        why: 'The template builds it, but does not run sysprep.',
        when: 'with `--for packer` and builder other',
        example: 'qemu.windows',
      },
    ),
  },
  'Images that Packer builds.',
)
