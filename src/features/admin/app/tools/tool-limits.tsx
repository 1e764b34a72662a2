import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { formatNumber } from '#client/format.ts'
import { imageLimits, videoLimits } from '#contract/media.ts'
import type { InputSpec, InputSpecs } from '#tools/contract/tool.ts'

/**
 * The files that a tool takes, by their names for people; the registry comes after the screen, for
 * it is large.
 */
function useInputs(tool: string): InputSpecs {
  const [inputs, setInputs] = useState<InputSpecs>({})
  useEffect(() => {
    import('#tools/pages.ts').then(
      ({ toolPages }) => setInputs(Object.values(toolPages).find(({ facts }) => facts.id === tool)?.facts.inputs ?? {}),
      () => undefined,
    )
  }, [tool])
  return inputs
}

const megabytes = (bytes: number) => `${formatNumber(bytes / 2 ** 20)} MB`

/** How many files of which kind and size a tool takes. */
export function ToolLimits({ tool }: { tool: string }) {
  const { i18n, t } = useLingui()
  const countOf = ({ min, max }: InputSpec) => {
    if (min === 0 && max === 1) return t`tidak wajib`
    return min === max ? `× ${formatNumber(max)}` : `× ${min}–${formatNumber(max)}`
  }
  const sizeOf = ({ kind }: InputSpec) =>
    kind === 'video'
      ? t`sampai ${megabytes(videoLimits.bytes)}, ${formatNumber(videoLimits.seconds)} detik`
      : t`sampai ${megabytes(imageLimits.bytes)}, ${formatNumber(imageLimits.pixels / 1e6)} megapiksel`
  return (
    <div className="grid gap-1.5">
      <h3 className="font-semibold text-sm">{t`Batas berkas`}</h3>
      <dl className="grid gap-x-4 gap-y-0.5 text-sm md:grid-cols-[auto_minmax(0,1fr)]">
        {Object.entries(useInputs(tool)).map(([name, spec]) => (
          <div key={name} className="contents">
            <dt>
              {i18n._(spec.label)} <span className="tabular-nums text-muted">{countOf(spec)}</span>
            </dt>
            <dd className="text-muted">{sizeOf(spec)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
