import { useLingui } from '@lingui/react/macro'
import type { AnyLocationId } from '#engine/scenes.ts'
import { useAddedNames } from './added-locations.ts'

export function useLocationNames(): Record<AnyLocationId, string> {
  const { t, i18n } = useLingui()
  const added = useAddedNames(i18n.locale)
  return {
    ...added,
    lobby: t`Lobi kantor`,
    bridge: t`Koridor kaca`,
    apartment: t`Apartemen`,
    esplanade: t`Lobi hotel`,
    hall: t`Aula`,
    park: t`Taman`,
    forest: t`Hutan`,
    sunrise: t`Padang pagi`,
    sunset: t`Senja`,
    venice: t`Tepi laut`,
    sky: t`Langit`,
    city: t`Kota`,
    dawn: t`Bukit fajar`,
    night: t`Langit malam`,
    lab: t`Ruang mesin`,
    workshop: t`Bengkel`,
    warehouse: t`Gudang`,
    'studio-room': t`Studio foto`,
  }
}
