import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { removeInstantStage, showInstantStage } from '#ui/instant-stage.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import cat from '../samples/cat.webp?no-inline'
import catSmall from '../samples/cat-small.avif?no-inline'
import coffee from '../samples/coffee.webp?no-inline'
import coffeeSmall from '../samples/coffee-small.avif?no-inline'

interface Sample {
  id: NonNullable<AnyToolPage['examples']>[number]
  name: MessageDescriptor
  url: string
  small: string
}

/** Sources are in `../samples/CREDITS.md` and `public/samples`. */
const samples: readonly Sample[] = [
  { id: 'cat', name: msg`Contoh: kucing`, url: cat, small: catSmall },
  { id: 'coffee', name: msg`Contoh: secangkir kopi`, url: coffee, small: coffeeSmall },
  { id: 'rocket', name: msg`Contoh: roket`, url: '/samples/rocket.webp', small: '/samples/rocket-small.webp' },
  {
    id: 'dandelions',
    name: msg`Contoh: bunga rumput`,
    url: '/samples/dandelions.webp',
    small: '/samples/dandelions-small.webp',
  },
]

export const samplesFor = ({ examples = ['cat', 'coffee'] }: Pick<AnyToolPage, 'examples'>): readonly Sample[] =>
  samples.filter(({ id }) => examples.includes(id))

const loaded = new WeakSet<Blob>()

async function loadSample({ id, url }: Sample): Promise<File> {
  const response = await fetch(url)
  if (!response.ok) throw new Error('The example could not be loaded')
  const file = new File([await response.blob()], `${id}.webp`, { type: 'image/webp' })
  loaded.add(file)
  return file
}

/** The bytes of a chosen file are copied. */
export function markCopy(file: Blob, copy: Blob): void {
  if (loaded.has(file)) loaded.add(copy)
}

export function areSamples(inputs: Readonly<Record<string, readonly { original: Blob }[]>>): boolean {
  const chosen = Object.values(inputs).flat()
  return chosen.length > 0 && chosen.every(({ original }) => loaded.has(original))
}

export function Samples({
  samples,
  title,
  onFiles,
}: {
  samples: readonly Sample[]
  title: string
  onFiles: (files: File[]) => void
}) {
  const { t, i18n } = useLingui()
  const take = (sample: Sample) => {
    showInstantStage(sample.small, title)
    const onFailed = () => {
      removeInstantStage()
      showSnackbar('error', t`Contoh belum bisa dibuka. Periksa internetmu, ya.`)
    }
    loadSample(sample).then((file) => onFiles([file]), onFailed)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <p className="text-sm font-medium text-muted">{t`Belum ada foto? Coba contoh ini:`}</p>
      <ul className="flex gap-3">
        {samples.map((sample) => (
          <li key={sample.id}>
            <button
              type="button"
              className="block size-16 cursor-pointer overflow-hidden rounded-2xl shadow-card transition-transform active:scale-95"
              aria-label={i18n._(sample.name)}
              data-instant-stage={title}
              onClick={() => take(sample)}
            >
              <img
                src={sample.small}
                alt=""
                width={64}
                height={64}
                className="size-full object-cover"
                fetchPriority="low"
              />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
