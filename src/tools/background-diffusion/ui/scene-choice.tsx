import { useLingui } from '@lingui/react/macro'
import { ImageIcon, Sparkles } from 'lucide-react'
import { type SceneId, sceneIds } from '#engine/scenes.ts'
import { ChoiceRow } from '#tools/ui/controls.tsx'
import { useSamples } from '#tools/ui/use-samples.ts'
import type { BackgroundDiffusionParams } from '../contract/definition.ts'
import workerUrl from './samples-worker.ts?worker&url'

export function useSceneNames(): Record<SceneId, string> {
  const { t } = useLingui()
  return {
    studio: t`Studio`,
    'window-light': t`Jendela`,
    'night-bokeh': t`Lampu malam`,
    leaves: t`Dedaunan`,
    wood: t`Kayu`,
    linen: t`Linen`,
    concrete: t`Beton`,
    brick: t`Bata`,
    garden: t`Taman`,
    office: t`Kantor`,
    cafe: t`Kafe`,
    curtain: t`Tirai`,
    batik: t`Batik`,
  }
}

export function SceneChoice({
  chosen,
  onChoose,
}: {
  chosen: BackgroundDiffusionParams['scene']
  onChoose: (scene: BackgroundDiffusionParams['scene']) => void
}) {
  const { t } = useLingui()
  const samples = useSamples<SceneId>(workerUrl, null)
  const names = useSceneNames()
  const tile =
    'grid aspect-square w-full place-items-center overflow-hidden rounded-xl bg-base-200 ring-1 ring-base-content/15 ring-inset group-aria-pressed:outline-2 group-aria-pressed:outline-primary group-aria-pressed:outline-offset-2'
  const button = 'group flex w-16 shrink-0 flex-col items-center gap-1 rounded-xl text-xs lg:w-auto'
  return (
    <ChoiceRow label={t`Pilihan suasana`} className="gap-1.5 lg:grid-cols-4 lg:gap-2">
      <button type="button" aria-pressed={chosen === 'auto'} onClick={() => onChoose('auto')} className={button}>
        <span className={tile}>
          <Sparkles aria-hidden className="size-5 text-primary" />
        </span>
        <span className="w-full truncate text-center">{t`Otomatis`}</span>
      </button>
      {sceneIds.map((id) => (
        <button key={id} type="button" aria-pressed={chosen === id} onClick={() => onChoose(id)} className={button}>
          <span className={tile}>
            {samples[id] ? (
              <img src={samples[id]} alt="" className="size-full object-cover" />
            ) : (
              <ImageIcon aria-hidden className="size-5 text-muted" />
            )}
          </span>
          <span className="w-full truncate text-center">{names[id]}</span>
        </button>
      ))}
    </ChoiceRow>
  )
}
