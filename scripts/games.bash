# Sourced in the project's folder. Sets all_games, the names of all games, and all_players, the packages of their players.
all_games=() all_players=()
for folder in crates/courses/src/games/*/; do
    name=$(basename "$folder")
    all_games+=("$name")
    for package in crates/"$name" crates/"$name"-*; do
        [ ! -f "$package/Cargo.toml" ] || all_players+=("$(basename "$package")")
    done
done
