import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { ToolEntry } from '#tools/ui/tool-entry.ts'

/** The tools with their names and marks, which come after the screen: they are large. */
export function useTools(): readonly ToolEntry[] {
  const [tools, setTools] = useState<readonly ToolEntry[]>([])
  useEffect(() => {
    import('#tools/tool-list.ts').then(
      ({ toolList }) => setTools(toolList),
      () => undefined,
    )
  }, [])
  return tools
}

/** A tool's name, as people see it. */
export function useToolName(): (id: string) => string {
  const { i18n } = useLingui()
  const tools = useTools()
  return (id) => {
    const tool = tools.find((entry) => entry.id === id)
    return tool ? i18n._(tool.name) : id
  }
}

/** What somebody who works for tools is called. */
export function useEngineName(): (provider: string) => string {
  const { t } = useLingui()
  return (provider) => (provider === 'local' ? t`Server ini` : provider)
}
