import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Redo2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { onlineAtom } from '#client/connection.ts'
import type { GenerationView } from '../../schemas.ts'
import type { useRerender } from './rerender.ts'

export function RenderingSteps({
  generation: { rendering, inputs },
  rerender: { pending, step },
  children,
}: {
  generation: GenerationView
  rerender: ReturnType<typeof useRerender>
  children?: ReactNode
}) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const { position, oldest, newest } = rendering
  // Rendering again needs the input photos.
  const moves = newest !== oldest && inputs.length > 0
  if (!moves && !children) return null
  const steps = [
    { label: t`Kembali ke hasil sebelumnya`, icon: Undo2, to: position - 1 },
    { label: t`Maju ke hasil berikutnya`, icon: Redo2, to: position + 1 },
  ]
  return (
    <div className="absolute top-3 left-3 z-2 flex gap-2">
      {moves &&
        steps.map(({ label, icon: Icon, to }) => (
          <button
            key={label}
            type="button"
            className="btn btn-circle border-0 bg-[rgb(24_18_12/0.6)] text-white backdrop-blur-sm disabled:bg-[rgb(24_18_12/0.6)] disabled:text-white disabled:opacity-40"
            aria-label={label}
            disabled={!online || pending || to < oldest || to > newest}
            onClick={() => step(to)}
          >
            <Icon aria-hidden className="size-5" />
          </button>
        ))}
      {children}
    </div>
  )
}
