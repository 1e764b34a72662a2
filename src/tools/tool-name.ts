import { useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'

const toolsQuery = queryOptions({
  queryKey: ['tool list'],
  queryFn: async () => (await import('#tools/tool-list.ts')).allToolEntries,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Loaded after the screen because of their size. */
export const useTools = () => useQuery(toolsQuery).data ?? []

export function useToolName(): (id: string) => string {
  const { i18n } = useLingui()
  const tools = useTools()
  return (id) => {
    const tool = tools.find((entry) => entry.id === id)
    return tool ? i18n._(tool.name) : id
  }
}

export function useEngineName(): (provider: string) => string {
  const { t } = useLingui()
  return (provider) => (provider === 'local' ? t`Server ini` : provider)
}
