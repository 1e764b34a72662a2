import { useLingui } from '@lingui/react/macro'
import { Sparkles } from 'lucide-react'
import {
  type AnyLocationId,
  type ChosenSceneId,
  isAddedLocation,
  isLocation,
  type OfferedSceneId,
  sceneIds,
} from '#engine/scenes.ts'
import { ChoiceRow } from '#tools/ui/controls.tsx'
import { locationSample } from '#tools/ui/location-sample.ts'
import { useAddedLocations, useAddedPictures, useLocationNames } from '#tools/ui/locations.ts'
import { requiredChoiceId } from '#tools/ui/required-choice.ts'
import { SampleButton, useSamples } from '#tools/ui/samples.tsx'
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
  const choice = (id: ChosenSceneId) => (
    <SampleButton key={id} name={names[id]} sample={samples[id]} chosen={chosen === id} onChoose={() => onChoose(id)} />
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
          aria-label={t`Usulan latar`}
          aria-describedby={describedBy}
          className="nearest-scenes flex gap-1.5 rounded-xl lg:col-span-full lg:grid lg:grid-cols-3 lg:gap-2"
        >
          {nearest.map(choice)}
        </fieldset>
      ) : (
        <SampleButton
          name={t`Otomatis`}
          chosen={chosen === 'auto'}
          onChoose={() => onChoose('auto')}
          icon={<Sparkles aria-hidden className="size-5 text-primary" />}
        />
      )}
      {scenes.filter((id) => !nearest.some((near) => near === id)).map(choice)}
    </ChoiceRow>
  )
}
