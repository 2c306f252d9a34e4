# SPDX-License-Identifier: Apache-2.0
# Completion of poslab for fish. The program says itself what may stand there, from the tables of its commands and options.
function __poslab_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process) (commandline --current-token --cut-at-cursor)
    set -l program (string replace --regex '^~' $HOME -- $words[1])
    set -l begun $words[-1]
    set -l before ''
    set -l asked
    for word in $words[2..-1]
        if string match --quiet -- '--*=*' $word
            set --append asked (string split --max 1 = -- $word | string join \n=\n | string split \n)
        else
            set --append asked $word
        end
    end
    if string match --quiet -- '--*=*' $begun
        set before (string replace --regex '=.*' = -- $begun)
        set begun (string replace --regex '^[^=]*=' '' -- $begun)
    end
    for line in ($program complete $asked 2>/dev/null)
        switch $line
            case '@files *'
                __poslab_paths $before $begun (string replace '@files ' '' -- $line)
            case @directories
                __poslab_paths $before $begun
            case '*'
                echo $before$line
        end
    end
end

# __poslab_paths BEFORE BEGUN [PATTERN]: directories to look in, and files of these names.
function __poslab_paths
    set -l tilde (string replace --regex '^~' $HOME -- $argv[2])
    for path in $tilde*
        if test -d $path
            echo $argv[1](string replace -- $tilde $argv[2] $path)/
        else if set --query argv[3]; and string match --quiet -- $argv[3] (string replace --regex '.*/' '' -- $path)
            echo $argv[1](string replace -- $tilde $argv[2] $path)
        end
    end
end
complete --command poslab --no-files --arguments '(__poslab_complete)'
