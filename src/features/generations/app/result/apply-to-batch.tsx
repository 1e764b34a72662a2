import { Plural, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Images } from 'lucide-react'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { useAction } from '#ui/use-action.ts'
import { renderMutation } from '../queries.ts'
import { renderable, type useRerender } from './rerender.ts'

/** Drawings are not applied. */
export function ApplyToBatch({
  page,
  others,
  rerender: { params, files },
}: {
  page: AnyToolPage
  others: readonly string[]
  rerender: ReturnType<typeof useRerender>
}) {
  const { t } = useLingui()
  const client = useQueryClient()
  const own = new Set(page.definition.pictureParams)
  const apply = useAction(async () => {
    const shared = Object.fromEntries(Object.entries(renderable(page, params)).filter(([name]) => !own.has(name)))
    for (const id of others) {
      await client.getMutationCache().build(client, renderMutation(client, id)).execute({ params: shared, files })
    }
  }, t`Semua foto sudah ikut berubah`)
  return (
    <Button variant="soft" icon={Images} busy={apply.isPending} onClick={() => apply.mutate()}>
      <Plural value={others.length} one="Terapkan ke # foto lain" other="Terapkan ke # foto lain" />
    </Button>
  )
}
