import { useLingui } from '@lingui/react/macro'
import { ImageIcon, Sparkles } from 'lucide-react'
import {
  type AnyLocationId,
  type ChosenSceneId,
  isAddedLocation,
  isLocation,
  type OfferedSceneId,
  sceneIds,
} from '#engine/scenes.ts'
import { ChoiceRow, choiceCaption, choiceTile } from '#tools/ui/controls.tsx'
import { locationSample } from '#tools/ui/location-sample.ts'
import { useAddedLocations, useAddedPictures, useLocationNames } from '#tools/ui/locations.ts'
import { requiredChoiceId } from '#tools/ui/required-choice.ts'
import { useSamples } from '#tools/ui/samples.tsx'
import type { BackgroundDiffusionParams } from '../contract/definition.ts'
import workerUrl from './samples-worker.ts?worker&url'

export function useSceneNames(): Record<ChosenSceneId, string> {
  const { t } = useLingui()
  return {
    ...useLocationNames(),
    plain: t`Polos`,
    studio: t`Studio`,
    'window-light': t`Jendela`,
    wood: t`Kayu`,
    table: t`Meja kayu`,
    linen: t`Linen`,
    concrete: t`Beton`,
    brick: t`Bata`,
    curtain: t`Tirai`,
    batik: t`Batik`,
  }
}

/** Pictures of locations are files; those of surfaces are drawn on the device. */
function useSceneSamples(): Partial<Record<ChosenSceneId, string>> {
  const drawn = useSamples<OfferedSceneId>(workerUrl, null)
  const added = useAddedPictures()
  const files = sceneIds.flatMap((id) =>
    (isLocation(id) && !isAddedLocation(id)) || id === 'table' ? [[id, locationSample(id)]] : [],
  )
  return { ...drawn, ...Object.fromEntries(files), ...added }
}

/**
 * `nearest`: the locations most similar to a prompt that no scene shows. They stand in front of the
 * others and replace the automatic choice.
 */
export function SceneChoice({
  chosen,
  nearest,
  describedBy,
  onChoose,
}: {
  chosen: BackgroundDiffusionParams['scene']
  nearest: readonly AnyLocationId[]
  describedBy: string
  onChoose: (scene: BackgroundDiffusionParams['scene']) => void
}) {
  const { t } = useLingui()
  const samples = useSceneSamples()
  const names = useSceneNames()
  const scenes: ChosenSceneId[] = [...useAddedLocations().map(({ id }) => id), ...sceneIds]
  const isUnfit = nearest.length > 0
  const tile =
    'grid aspect-square w-[min(4rem,18vmin)] place-items-center lg:w-full overflow-hidden rounded-xl bg-base-200 ring-1 ring-base-content/15 ring-inset group-aria-pressed:outline-2 group-aria-pressed:outline-primary group-aria-pressed:outline-offset-2'
  const choice = (id: ChosenSceneId) => (
    <button key={id} type="button" aria-pressed={chosen === id} onClick={() => onChoose(id)} className={choiceTile}>
      <span className={tile}>
        {samples[id] ? (
          <img src={samples[id]} alt="" className="size-full object-cover" />
        ) : (
          <ImageIcon aria-hidden className="size-5 text-muted" />
        )}
      </span>
      <span className={choiceCaption}>{names[id]}</span>
    </button>
  )
  return (
    <ChoiceRow
      // Another row begins at its start.
      key={String(isUnfit)}
      label={t`Pilihan suasana`}
      className="gap-1.5 lg:grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] lg:gap-2"
    >
      {isUnfit ? (
        <fieldset
          id={chosen === 'auto' ? requiredChoiceId : undefined}
          tabIndex={-1}
          aria-label={t`Latar yang paling mirip`}
          aria-describedby={describedBy}
          className="nearest-scenes flex gap-1.5 rounded-xl lg:col-span-full lg:grid lg:grid-cols-3 lg:gap-2"
        >
          {nearest.map(choice)}
        </fieldset>
      ) : (
        <button type="button" aria-pressed={chosen === 'auto'} onClick={() => onChoose('auto')} className={choiceTile}>
          <span className={tile}>
            <Sparkles aria-hidden className="size-5 text-primary" />
          </span>
          <span className={choiceCaption}>{t`Otomatis`}</span>
        </button>
      )}
      {scenes.filter((id) => !nearest.some((near) => near === id)).map(choice)}
    </ChoiceRow>
  )
}
