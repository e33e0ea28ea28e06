import { type ComputedRef, computed, ref } from 'vue'
import { useMemberNames } from '../api/names.ts'
import { useOperation } from '../api/query.ts'
import type { Option } from '../kit/options.ts'
import { searchedOptions } from './searchedOptions.ts'

/** Returns the members of a project whose name contains the searched text, and those that are chosen. */
export function useMemberChoices(
  projectId: string,
  chosen: () => readonly string[],
): { items: ComputedRef<Option<string>[]>; search: (text: string) => void } {
  const searched = ref('')
  const members = useOperation('listMembers', () => ({ projectId, ...(searched.value && { text: searched.value }) }))
  const found = computed(
    () =>
      members.data.value?.items.map(({ accountId, name, username }) => ({
        value: accountId,
        title: name,
        subtitle: username,
      })) ?? [],
  )
  const others = computed(() => chosen().filter((accountId) => !found.value.some(({ value }) => value === accountId)))
  const memberNames = useMemberNames(projectId, () => others.value)
  return {
    items: computed(() =>
      searchedOptions(searched.value, {
        found: found.value,
        isSearching: members.loading.value,
        more: others.value.map((value) => ({ value, title: memberNames.of(value) })),
      }),
    ),
    search(text) {
      searched.value = text.trim().slice(0, 64)
    },
  }
}
