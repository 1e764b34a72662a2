import { useQuery } from '@tanstack/react-query'
import { ChosenFilter } from '#ui/admin/filters.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { useListParams } from '#ui/lists/list-params.ts'

export function ChosenUser({ name }: { name: string }) {
  const id = useListParams().params[name]
  const { data } = useQuery({ ...adminQuery<{ name: string }>(`users/${id}`), enabled: id !== undefined })
  return id && <ChosenFilter name={name} text={data?.name ?? id.slice(-8)} />
}
