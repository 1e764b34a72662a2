import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiQuery } from '#client/query.ts'
import type { AddedLocationId } from '#engine/scenes.ts'
import type { OfferedLocation } from '#tools/contract/views.ts'

/** Visitors see them too. */
const locationsQuery = apiQuery<{ items: OfferedLocation[] }>(['locations'], '/api/locations', {
  meta: { persist: true },
})

const none: readonly OfferedLocation[] = []

/** The operator's locations; none until they are loaded. */
export const useAddedLocations = (): readonly OfferedLocation[] => useQuery(locationsQuery).data?.items ?? none

/** By id, in the language of the app. */
export function useAddedNames(language: string): Record<AddedLocationId, string> {
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
