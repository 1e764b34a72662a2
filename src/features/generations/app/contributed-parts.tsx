import { type ComponentType, createContext, use } from 'react'
import type { GenerationView } from '../schemas.ts'

/** Parts of features that build on generations; src/app provides them. */
export interface ContributedParts {
  TopUpSheet: ComponentType<{ missing: number; onClose: () => void; onPaid: () => void }>
  ShareLinkSheet: ComponentType<{
    generationId: GenerationView['id']
    position: number
    hasOriginal: boolean
    keptUntil: string
    onClose: () => void
  }>
  ReportSheet: ComponentType<{
    target: { generationId: GenerationView['id']; position: number }
    onClose: () => void
  }>
}

export const ContributedPartsContext = createContext<ContributedParts | null>(null)

function useParts(): ContributedParts {
  const parts = use(ContributedPartsContext)
  if (!parts) throw new Error('src/app provides no parts')
  return parts
}

export const TopUpSheet: ContributedParts['TopUpSheet'] = (props) => {
  const parts = useParts()
  return <parts.TopUpSheet {...props} />
}

export const ShareLinkSheet: ContributedParts['ShareLinkSheet'] = (props) => {
  const parts = useParts()
  return <parts.ShareLinkSheet {...props} />
}

export const ReportSheet: ContributedParts['ReportSheet'] = (props) => {
  const parts = useParts()
  return <parts.ReportSheet {...props} />
}
