import { useLingui } from '@lingui/react/macro'
import { toolList } from '#app/tool-list.ts'

/** A tool's name, as people see it. */
export function useToolName(): (id: string) => string {
  const { i18n } = useLingui()
  return (id) => {
    const tool = toolList.find((entry) => entry.id === id)
    return tool ? i18n._(tool.name) : id
  }
}
