import { useLingui } from '@lingui/react/macro'
import type { LocationId } from '#engine/scenes.ts'

export function useLocationNames(): Record<LocationId, string> {
  const { t } = useLingui()
  return {
    lobby: t`Lobi kantor`,
    bridge: t`Koridor kaca`,
    apartment: t`Apartemen`,
    esplanade: t`Kafe`,
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
