import { OwnEdits } from '#features/custom-edits/app/own-edits.tsx'
import { HistoryPage } from '#features/generations/app/history/history-page.tsx'

/** The history of the tools, with what was asked of the designers above it. */
export function HistoryScreen() {
  return (
    <HistoryPage>
      <OwnEdits />
    </HistoryPage>
  )
}
