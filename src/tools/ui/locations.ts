import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiQuery } from '#client/query.ts'
import type { AddedLocationId, AnyLocationId } from '#engine/scenes.ts'
import type { OfferedLocation } from '#tools/contract/schemas.ts'

/** Visitors see them too. */
const locationsQuery = apiQuery<{ items: OfferedLocation[] }>(['locations'], '/api/locations', {
  meta: { persist: true },
})

const none: readonly OfferedLocation[] = []

/** The operator's locations; none until they are loaded. */
export const useAddedLocations = (): readonly OfferedLocation[] => useQuery(locationsQuery).data?.items ?? none

/** By id, in the language of the app. */
function useAddedNames(language: string): Record<AddedLocationId, string> {
  const added = useAddedLocations()
  return useMemo(
    () => Object.fromEntries(added.map(({ id, name }) => [id, language === 'en' ? name.en : name.id])),
    [added, language],
  )
}

/** Addresses of samples by id. */
export function useAddedPictures(): Record<AddedLocationId, string> {
  const added = useAddedLocations()
  return useMemo(() => Object.fromEntries(added.map(({ id, picture }) => [id, picture])), [added])
}

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
    beach: t`Pantai`,
    'beach-sunset': t`Pantai senja`,
    'cafe-terrace': t`Teras kafe`,
    'rice-field': t`Sawah`,
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
