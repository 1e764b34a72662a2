import { useQuery } from '@tanstack/react-query'
import { ChosenFilter } from '#ui/admin/filters.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { userQuery } from './api.ts'

export function ChosenUser({ name }: { name: string }) {
  const id = useListParams().params[name]
  const { data } = useQuery({ ...userQuery(id ?? ''), enabled: id !== undefined })
  return id && <ChosenFilter name={name} text={data?.name ?? id.slice(-8)} />
}
