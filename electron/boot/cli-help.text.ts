// What `cairn --help` prints.

export const CLI_HELP = `Cairn works in a folder of yours: it reads, edits, runs commands, and can always go back.

  cairn -p "prompt"             do one task and print the answer (the prompt may also come on standard input)
  cairn checkpoints list        the points one can go back to, oldest first
  cairn checkpoints show ID     what one of them changed
  cairn checkpoints diff ID     the difference between it and the folder as it is
  cairn checkpoints restore ID  go back to it; what you changed yourself since is kept unless --exact
  cairn checkpoints undo        take the last going back back
  cairn sessions list           earlier sessions
  cairn sessions search WORDS   the places in all sessions where these words are
  cairn sessions export ID      one session with --format md, html or json
  cairn sessions fork ID        a new session that goes on from there, or from a checkpoint with --at ID; prints its id
  cairn sessions merge ID       bring what a session did in its copy over (--files, --dry-run)

Flags of a task
  --cwd DIR                     the folder to work in (default: here)
  --provider NAME               anthropic, openai, openai-chat or demo
  --base-url URL                another server that speaks the provider's protocol
  --model NAME                  the model; --fallback-model NAME when it stays down
  --permission-mode MODE        default, acceptEdits, plan or bypass
  --allowedTools RULES          for example "bash(npm test:*), edit(src/**)"
  --disallowedTools RULES
  --max-turns N                 end after N steps, with a summary
  --max-spend LIMIT             end with a summary once so much was spent: 2.50 is US dollars, 500k or 2m are tokens
  --continue, --resume ID       go on with the last session of this folder, or with one of yours
  --isolated                    work in a copy: the folder stays as it is until the work is brought over
  --append-system-prompt TEXT
  --settings FILE               settings for this run
  --trust-project-hooks         run the hooks of the folder's own .cairn/settings.json, as they are now, in this run
  --output-format FORMAT        text, json or stream-json; --include-partial-messages adds the live events
Flags of restore
  --files A,B                   only these files (also of diff and undo); \\, is a comma in a name; --dry-run shows what would happen
Everywhere
  --data-dir DIR                where Cairn keeps its own files

Keys come from ANTHROPIC_API_KEY and OPENAI_API_KEY, base URLs also from ANTHROPIC_BASE_URL and OPENAI_BASE_URL.
Exit codes: 0 answered, 1 failed, 2 wrong usage, 3 no answer came because nobody could be asked for a permission, 4 step limit, 5 refusal,
6 empty reply, 7 cut reply, 8 brake, 9 spend limit, 130 interrupted.
`;
