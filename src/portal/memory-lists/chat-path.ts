interface Place {
  project_id: string
  namespace: string
  conversation_id: string
}

/** The page that shows a conversation as a chat. Its id is any text, so it stands in the query. */
export const chatPath = ({ project_id, namespace, conversation_id }: Place): string =>
  `/portal/conversations/chat?${new URLSearchParams({ project_id, namespace, conversation_id }).toString()}`
